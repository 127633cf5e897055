/* Two-phase commit as in tests/specs/TwoPhaseCommit.tla: one process takes each step, so that the states are the same.
 *
 *     spin -a -DN=8 bench/two_phase_commit.pml && cc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -n -m1000000 -w26
 */
#ifndef N
#define N 7
#endif

#define WORKING 0
#define PREPARED 1
#define COMMITTED 2
#define ABORTED 3
#define OPEN 0

byte vote[N];
byte decision;
bit heard[N];
bit told[N];   /* the manager's "prepared" was sent */
bit commit, abort;
byte all;      /* how many are heard */

#define MANAGER(i) \
    :: d_step { decision == OPEN && told[i] -> if :: !heard[i] -> heard[i] = 1; all++ :: else fi } \
    :: d_step { vote[i] == WORKING -> vote[i] = PREPARED; told[i] = 1 } \
    :: d_step { vote[i] == WORKING -> vote[i] = ABORTED } \
    :: d_step { commit -> vote[i] = COMMITTED } \
    :: d_step { abort -> vote[i] = ABORTED }

active proctype protocol()
{
end:
    do
    :: d_step { decision == OPEN && all == N -> decision = COMMITTED; commit = 1 }
    :: d_step { decision == OPEN -> decision = ABORTED; abort = 1 }
    MANAGER(0)
#if N > 1
    MANAGER(1)
#endif
#if N > 2
    MANAGER(2)
#endif
#if N > 3
    MANAGER(3)
#endif
#if N > 4
    MANAGER(4)
#endif
#if N > 5
    MANAGER(5)
#endif
#if N > 6
    MANAGER(6)
#endif
#if N > 7
    MANAGER(7)
#endif
#if N > 8
    MANAGER(8)
#endif
    od
}
