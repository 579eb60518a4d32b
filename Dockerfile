# syntax=docker/dockerfile:1
# docker build -t one-hub . && docker run -p 3000:3000 -v one-hub:/data one-hub

FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund && node scripts/build.mjs
# The packages that a running server needs, and the Node of the lock without its headers and documents.
RUN rm -rf node_modules \
  && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --include-workspace-root \
    --workspace apps/server --workspace packages/contract --workspace packages/dialects --workspace packages/providers \
  && mv node_modules/node-linux-*/bin/node /usr/local/bin/node-of-the-lock \
  && rm -rf node_modules/node-linux-* node_modules/typescript node_modules/@typescript
# A volume takes over the owner of this folder.
RUN mkdir /data && chown 65532:65532 /data && chmod 700 /data

FROM gcr.io/distroless/cc-debian12:nonroot
WORKDIR /app
COPY --from=build /usr/local/bin/node-of-the-lock /usr/local/bin/node
COPY --from=build --chown=65532:65532 /data /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/packages ./packages
COPY --from=build /app/apps/server ./apps/server
COPY --from=build /app/apps/console/dist ./apps/console/dist
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
VOLUME /data
EXPOSE 3000
USER 65532:65532
# A stopping server serves running calls for 25 seconds: stop with `docker stop --time 40`.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=32", "--no-allocation-site-pretenuring", "--v8-pool-size=1"]
CMD ["apps/server/src/main.ts"]
