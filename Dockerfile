# One image for every ROLE. The server runs its TypeScript as it is; only what a browser runs is built.
# Builds are repeatable: the base image is pinned by its digest (an index of all architectures), package-lock.json has the hash of
# every package, and no system packages are installed. Only the empty database that is made below has an identifier of its own.
# For another version of Node, take the digest that this prints:
#   docker buildx imagetools inspect node:24.21.0-slim --format '{{.Manifest.Digest}}'
ARG NODE_IMAGE=node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Without install scripts: `prepare` needs all of src/. The console's packages are only needed to build it.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json README.md openapi.json ./
COPY sdk ./sdk
COPY docs ./docs
COPY web ./web
COPY console ./console
# What web/ shares with the server.
COPY src/features/forms/embed ./src/features/forms/embed
COPY src/http ./src/http
RUN node --no-warnings web/build.ts && node --no-warnings web/build-guides.ts && node --no-warnings console/build.ts
# The npm package `node` would be a second copy of the image's Node.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node node_modules/node-bin-* node_modules/.bin/node

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/web/dist ./web/dist
COPY --from=build /app/console/dist ./console/dist
COPY package.json openapi.json LICENSE ./
COPY migrations ./migrations
COPY bin ./bin
COPY src ./src
RUN node --no-warnings src/db/build-database-image.ts
RUN mkdir -p /data/assets && chown -R node:node /data && ln -s /app/bin/tessera /usr/local/bin/tessera
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["tessera", "serve"]
