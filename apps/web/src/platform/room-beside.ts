/** Media query of windows with room for a list and a record beside it; resizable.module.css has the same limit. */
export const roomBeside = '(min-width: 75em)';
