/** Options of csv-parse on the server and in the browser, so that the preview of an import equals the import. */
export const csvOptions = {
  // All line endings, not only that of the first line: concatenated files contain several.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
};
