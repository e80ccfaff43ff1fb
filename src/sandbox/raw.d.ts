/* The types of files that the build puts into the code as text. */

/** A file of a package as text. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** A file of a package, compressed: gzip, as base64. */
declare module '*?gzip' {
  const base64: string;
  export default base64;
}

/** What a browser loads of a page: its script or its style sheet with everything that it imports. */
declare module '*?bundle' {
  const text: string;
  export default text;
}
