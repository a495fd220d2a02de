# All commands, for a CPU, built with scripts/catapult. Untested.
#   docker build -t catapult .
#   docker run --rm -v "$PWD/runs:/catapult/runs" catapult train configs/quickstart.toml
#   docker run --rm -p 127.0.0.1:8080:8080 -v "$PWD/runs:/catapult/runs" -v "$PWD/data:/data" catapult \
#       serve --listen 0.0.0.0 --games /data/games.sqlite
# Requires a processor with AVX2.
FROM rust:1.95-bookworm AS build
RUN apt-get update && apt-get install --yes --no-install-recommends python3-pip && rm -rf /var/lib/apt/lists/*
WORKDIR /catapult
COPY . .
ENV CATAPULT_PROFILE=release
RUN scripts/catapult --version && strip target/release/catapult

FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends libstdc++6 && rm -rf /var/lib/apt/lists/*
WORKDIR /catapult
# The program looks for libtorch in the folder from which it was linked.
COPY --from=build /catapult/.torch/cpu/torch/lib .torch/cpu/torch/lib
COPY --from=build /catapult/.torch/cpu/nvidia .torch/cpu/nvidia
COPY --from=build /catapult/target/release/catapult /usr/local/bin/catapult
COPY configs configs
COPY models models
COPY experiments experiments
ENTRYPOINT ["catapult"]
CMD ["--help"]
