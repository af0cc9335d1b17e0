/** How csv-parse reads a file, on the server and in the browser alike, so that the preview of an import equals the import. */
export const csvOptions = {
  // All of them, and not what the first line ends with: files that were put together have several.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
};
