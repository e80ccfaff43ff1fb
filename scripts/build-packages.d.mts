export const BUILD_PACKAGES: readonly string[];
