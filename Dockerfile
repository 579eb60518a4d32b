# syntax=docker/dockerfile:1
# docker build -t one-hub . && docker run -p 3000:3000 -v one-hub:/data one-hub

FROM node:24-bookworm-slim AS build
# Node of the lock needs libatomic, which neither base image has; a release holds a copy of it.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY . .
# The image has no history: --build-arg HUB_COMMIT=$(git rev-parse --short=8 HEAD) puts the commit into the version.
ARG HUB_COMMIT=
# The installation of a release: Node of the lock, the bundle, the console.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && node scripts/release.mjs --folder /one-hub
# A volume takes over the owner of this folder.
RUN mkdir /data && chown 65532:65532 /data && chmod 700 /data

FROM gcr.io/distroless/cc-debian12:nonroot
WORKDIR /one-hub
COPY --from=build /one-hub /one-hub
COPY --from=build --chown=65532:65532 /data /data
# V8 keeps what it compiled in the volume, so that later starts take half the time.
ENV NODE_ENV=production DATA_DIR=/data PORT=3000 NODE_COMPILE_CACHE=/data/compiled MALLOC_ARENA_MAX=2 PATH=/one-hub LD_LIBRARY_PATH=/one-hub/lib
VOLUME /data
EXPOSE 3000
USER 65532:65532
# A stopping server serves running calls for 25 seconds: stop with `docker stop --time 40`.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "--heap-growing-percent=100", "--no-allocation-site-pretenuring", "--v8-pool-size=1", "--memory-pool-timeout=1", "--expose-gc", "--disable-warning=ExperimentalWarning"]
CMD ["apps/server/dist/server.mjs"]
