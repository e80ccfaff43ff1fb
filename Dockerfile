# Any image with Node 20.19 or later and npm works: `--build-arg NODE_IMAGE=…`.
ARG NODE_IMAGE=node:24.21.0-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
RUN chown node:node /app
# Compiled code is only valid for the same file path and user, so build as the user who runs it.
USER node
COPY --chown=node:node package.json package-lock.json ./
COPY --chown=node:node scripts/build-packages.mjs scripts/
# Install only the packages that the command needs, without those of the tests.
RUN --mount=type=cache,target=/home/node/.npm,uid=1000,gid=1000 \
    node scripts/build-packages.mjs && npm ci --ignore-scripts --no-audit --no-fund
COPY --chown=node:node . .
# The build also stores the code that this Node compiles, so that the read-only image starts fast.
RUN node scripts/build.mjs --command && mv dist/code /tmp/code && mkdir /tmp/state

FROM ${NODE_IMAGE}
ARG VERSION=dev
LABEL org.opencontainers.image.title="micro-insurance-sandbox" \
      org.opencontainers.image.description="A local stand-in for a micro-insurance provider's merchant API: in memory, deterministic, with a clock you own." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}"
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/bin ./bin
COPY --from=build /app/dist ./dist
COPY --from=build --chown=node:node /tmp/code ./dist/code
# For a volume with SANDBOX_STATE=/state/…: a new volume takes the owner of the folder it is mounted on.
COPY --from=build --chown=node:node /tmp/state /state
ENV NODE_ENV=production \
    SANDBOX_HOST=0.0.0.0 \
    SANDBOX_LOG=calls
USER node
EXPOSE 4015
STOPSIGNAL SIGTERM
# It follows the port of the command, too: `docker run IMAGE --port 8080`.
HEALTHCHECK --interval=5s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "/app/bin/micro-insurance-sandbox.cjs", "ready", "--timeout", "2"]
ENTRYPOINT ["node", "/app/bin/micro-insurance-sandbox.cjs"]
CMD ["start"]
