FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages packages
# With the optional packages, which include the compiled parts of the build tools.
RUN npm ci
COPY . .
RUN npm run build

FROM node:26-slim
ENV NODE_ENV=production MAYFLY_HOST=0.0.0.0 MAYFLY_DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages packages
# The optional packages are only a Node binary for machines with an older Node.
RUN npm ci --omit=dev --omit=optional && npm cache clean --force && mkdir /data && chown node:node /data
COPY bin bin
COPY src src
COPY locales locales
COPY content content
COPY openapi.json .
COPY --from=build /app/dist dist
USER node
VOLUME /data
EXPOSE 3000 2525
HEALTHCHECK --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/mayfly.js", "start"]
