# The base image of releases, pinned. The Dockerfile in the root takes it as NODE_IMAGE:
#
#   docker build --build-arg NODE_IMAGE="$(sed -n 's/^FROM //p' deploy/base-image.Dockerfile)" .
#
# Nothing builds this file. It is a Dockerfile so that Dependabot and Renovate keep its one line up to date. The digest is that
# of the index for all platforms. compose.yaml must follow every change, and package.json ("engines" and the node-linux packages)
# every change of the version. test/node-version.test.ts compares them, so a bot's update is red until someone adds these lines.
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
