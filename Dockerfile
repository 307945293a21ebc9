# syntax=docker/dockerfile:1

FROM node:24-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/detector/package.json packages/detector/
COPY packages/embedded-postgres/package.json packages/embedded-postgres/
COPY packages/simulation/package.json packages/simulation/
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY dashboard/package.json dashboard/
COPY bench/package.json bench/
COPY examples/express/package.json examples/express/

FROM manifests AS build
# The compiler and the types belong to the root of the workspaces.
RUN npm ci --workspace=server --workspace=@tocsin/dashboard --workspace=@tocsin/sdk --include-workspace-root
COPY tsconfig.base.json ./
COPY packages packages
RUN npx tsc -p packages/detector/tsconfig.build.json \
  && npx tsc -p packages/embedded-postgres/tsconfig.build.json
COPY server server
RUN npx tsc -p server/tsconfig.build.json \
  && cp -r node_modules/@scalar/fastify-api-reference/dist/js server/reference
COPY scripts/compress-files.mjs scripts/
RUN node scripts/compress-files.mjs server/reference
COPY dashboard dashboard
RUN npx vite build dashboard --config dashboard/vite.config.ts \
  && node scripts/compress-files.mjs dashboard/dist/assets
COPY sdk sdk
COPY scripts/install.mjs scripts/pack-sdk.mjs scripts/
RUN node scripts/pack-sdk.mjs

FROM manifests AS dependencies
# No install script runs (.npmrc). The library links of the embedded PostgreSQL are made here instead, because
# the user of the last stage may not write to node_modules.
RUN npm ci --workspace=server --omit=dev \
  && for package in node_modules/@embedded-postgres/*/; do \
    if [ -d "$package" ]; then (cd "$package" && node scripts/hydrate-symlinks.js) || exit 1; fi; \
  done \
  && mkdir -p server/node_modules

FROM node:24-slim
# The first process reaps what PostgreSQL leaves behind, and passes signals on while Node is still starting.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=dependencies /app/server/node_modules server/node_modules
# The links of `node_modules` lead to the packages.
COPY --from=build /app/packages/detector/package.json packages/detector/package.json
COPY --from=build /app/packages/detector/dist packages/detector/dist
COPY --from=build /app/packages/embedded-postgres/package.json packages/embedded-postgres/package.json
COPY --from=build /app/packages/embedded-postgres/dist packages/embedded-postgres/dist
COPY --from=build /app/server/dist server/dist
COPY --from=build /app/server/reference server/reference
COPY --from=build /app/dashboard/dist dashboard/dist
COPY --from=build /app/sdk/dist/sdk.tgz sdk/dist/sdk.tgz
COPY LICENSE NOTICE ./
COPY server/package.json server/
COPY server/bin server/bin
COPY server/lists server/lists
COPY server/migrations server/migrations
COPY server/archive-migrations server/archive-migrations
COPY server/public server/public

ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# `node` is a user of the base image with an account, which PostgreSQL's initdb demands.
RUN install --directory --owner=node --group=node --mode=0700 /data
VOLUME /data
USER node
EXPOSE 4000 4100 4200

# The port of a role that does not run here is closed, which the check tells from one that fails.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/app/server/bin/health.js"]

STOPSIGNAL SIGTERM
# The flags of `npm start`: docs/configure.md#sizing.
ENTRYPOINT ["tini", "--", "node", "--max-semi-space-size=64", "--expose-gc", "/app/server/bin/tocsin.js"]
CMD ["start"]
