# Releases pass the pinned image of deploy/base-image.Dockerfile. The default is not pinned, so that the file also builds where
# no registry can be reached and another image carries this name (docs/decisions/0067-image.md).
ARG NODE_IMAGE=node:24-slim

# Node comes with the base image, so the optional packages that bring it (and a private PostgreSQL) are left out.
# scripts/deploy/check-production-install.ts runs this stage in .ci/run.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts

# The dashboard is built in this stage. None of its tools reach the image.
FROM ${NODE_IMAGE} AS dashboard
WORKDIR /app
COPY package.json package-lock.json ./
COPY dashboard/package.json dashboard/package.json
RUN npm ci --ignore-scripts
COPY packages/client packages/client
COPY dashboard dashboard
RUN npm run build -w dashboard

FROM ${NODE_IMAGE} AS program
ENV NODE_ENV=production NODE_COMPILE_CACHE=/app/.compile-cache
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE THIRD_PARTY_NOTICES ./
COPY migrations migrations
COPY src src
COPY --from=dashboard /app/dashboard/dist dashboard/dist

# Compiles the program once, as the user who runs it, because Node keeps a cache for each user. On a processor with
# other features, and for any other user, Node starts without the cache.
FROM program AS compiled
COPY deploy/warm-compile-cache.ts deploy/
RUN install -d -o node -g node .compile-cache
USER node
# Only the owner can read the files that Node makes, and the next stage gives them to root.
RUN node src/require-node.js && node deploy/warm-compile-cache.ts && chmod -R a+rX .compile-cache

FROM program
# The files belong to root, so the program cannot change itself.
COPY --from=compiled --chown=root:root /app/.compile-cache .compile-cache
ARG NODE_IMAGE VERSION="" REVISION="" SOURCE=""
LABEL org.opencontainers.image.title="Tidings" \
  org.opencontainers.image.description="Notification delivery service: one process, one PostgreSQL, a truthful record of every message." \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.source="${SOURCE}" \
  org.opencontainers.image.base.name="${NODE_IMAGE}"
RUN ln -s /app/src/main.ts /usr/local/bin/tidings
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD node -e "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
# The entry point is not npm, because signals must reach the process that drains. Stop it with 90 s of grace
# (docs/production.md).
ENTRYPOINT ["node", "src/main.ts"]
CMD ["start"]
