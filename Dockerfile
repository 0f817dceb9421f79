# Node 24 comes with the image, so the optional packages that bring it (and a private PostgreSQL) are left out.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts

# The dashboard is built here; of its tools nothing reaches the image.
FROM node:24-slim AS dashboard
WORKDIR /app
COPY package.json package-lock.json ./
COPY dashboard/package.json dashboard/package.json
RUN npm ci --ignore-scripts
COPY packages/client packages/client
COPY dashboard dashboard
RUN npm run build -w dashboard

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY migrations migrations
COPY src src
COPY --from=dashboard /app/dashboard/dist dashboard/dist
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD node -e "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
# Not through npm: signals must reach the process that drains. Stop it with 90 s of grace (docs/production.md).
ENTRYPOINT ["node", "src/main.ts"]
CMD ["start"]
