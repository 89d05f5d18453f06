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
RUN mkdir /data && chown node:node /data
COPY package.json openapi.json ./
COPY bin bin
COPY locales locales
COPY content content
# With all packages: the image needs no node_modules.
COPY --from=build /app/dist dist
USER node
VOLUME /data
EXPOSE 3000 2525
HEALTHCHECK --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.MAYFLY_HTTP_PORT || 3000) + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/mayfly.js", "start"]
