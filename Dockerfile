# A Debian image with every package that Gridstride's commands need, for systems that lack them. The checkout itself is
# mounted, so that what is built and what you write stay with you, and is compiled for the processor it runs on:
#
#   docker build -t gridstride .
#   docker run --rm -it -v "$PWD:/gridstride" gridstride run 01
#
# The viewer draws on an X server of yours, or into a file:
#
#   docker run --rm -it -v "$PWD:/gridstride" -e DISPLAY -v /tmp/.X11-unix:/tmp/.X11-unix gridstride view 26
#   docker run --rm -it -v "$PWD:/gridstride" gridstride view 26 --render 26.png
FROM debian:12
COPY gridstride /setup/
COPY cmake /setup/cmake
RUN /setup/gridstride --yes setup && apt-get clean && rm -rf /setup /var/lib/apt/lists/*
WORKDIR /gridstride
ENTRYPOINT ["./gridstride", "--yes"]
CMD ["help"]
