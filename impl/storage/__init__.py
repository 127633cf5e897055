"""What a broker keeps on disk: commit log, epoch file, checkpoint, identity; below it the files, real or simulated.

Every file that is replaced is written as temporary file, fsync, rename, fsync of the folder, so that a crash between
any two of these leaves the old content or the new one.
"""
