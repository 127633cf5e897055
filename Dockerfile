# docker build -t rmqproof . && docker run --rm -v "$PWD:/specs" rmqproof check .
FROM python:3.12-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN python -m pip wheel --no-cache-dir --disable-pip-version-check --wheel-dir /wheels .

FROM python:3.12-slim-bookworm
# Debian's own versions: the image is pinned by its release
# a compiler for the machine code that a model becomes, Graphviz for the pictures
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc graphviz libc6-dev \
    && rm -rf /var/lib/apt/lists/*
# hadolint ignore=DL3013
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    python -m pip install --no-cache-dir --disable-pip-version-check --no-index --find-links /wheels rmqproof \
    && useradd --create-home --uid 1000 checker
USER 1000
WORKDIR /specs
ENTRYPOINT ["rmqproof"]
CMD ["--help"]
