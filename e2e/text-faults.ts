/**
 * Runs in the page: lists text that is cut off or overlaps other text. Scrollable text, and text with an intended ellipsis,
 * is no fault; emails and code editors are excluded.
 */
export const listTextFaults = `(() => {
  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const clips = (overflow) => overflow === 'hidden' || overflow === 'clip';
  const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll';
  const describe = ({ parent, text }) => '“' + text.trim().slice(0, 40) + '” of ' + parent.outerHTML.slice(0, 80);
  const faults = new Set();

  /** Its lines as far as they can be seen. Undefined: they stay in place while others scroll, or scroll themselves. */
  const findShown = (node) => {
    const parent = node.parentElement;
    const range = document.createRange();
    range.selectNodeContents(node);
    let lines = [...range.getClientRects()]
      .filter(({ width }) => width > 0)
      .map(({ left, right, top, bottom }) => ({ left, right, top, bottom, parent, text: node.data }));
    let isFree = true;
    let escapes = false;
    const found = [];
    for (let element = parent; element !== document.body && lines.length > 0; element = element.parentElement) {
      const style = styleOf(element);
      const { overflowX, overflowY, position } = style;
      if (escapes && position === 'static') continue;
      escapes = position === 'absolute';
      const box = element.getBoundingClientRect();
      const isForEars = (box.width <= 4 || box.height <= 4) && clips(overflowX);
      if (isForEars || style.opacity === '0') return [];
      if (scrolls(overflowX) || scrolls(overflowY)) break;
      const isMeant = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
      for (const line of lines) {
        const slack = (line.bottom - line.top) / 4;
        const isCut = (clips(overflowX) && (line.right > box.right + 2 || line.left < box.left - 2)) ||
          (clips(overflowY) && (line.bottom > box.bottom + slack || line.top < box.top - slack));
        if (isCut && !isMeant) found.push('is cut off: ' + describe(line) + ' by ' + element.outerHTML.slice(0, 80));
        if (clips(overflowX)) line.right = Math.min(line.right, box.right);
        if (clips(overflowY)) line.bottom = Math.min(line.bottom, box.bottom);
      }
      lines = lines.filter(({ left, right, top, bottom }) => right > left && bottom > top);
      if (position === 'fixed' || position === 'sticky') isFree = false;
      if (position === 'fixed') break;
    }
    for (const fault of found) faults.add(fault);
    return isFree ? lines : [];
  };

  const isText = (node) => node.data.trim() !== '' && node.parentElement.checkVisibility({ visibilityProperty: true }) &&
    node.parentElement.closest('script, style, noscript, svg, option, .cm-editor') === null;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const shown = [];
  while (walker.nextNode()) if (isText(walker.currentNode)) shown.push(...findShown(walker.currentNode));
  shown.sort((one, other) => one.top - other.top);
  for (const [index, upper] of shown.entries())
    for (const lower of shown.slice(index + 1)) {
      if (lower.top >= upper.bottom) break;
      const width = Math.min(upper.right, lower.right) - Math.max(upper.left, lower.left);
      const height = Math.min(upper.bottom, lower.bottom) - lower.top;
      const least = Math.min(upper.bottom - upper.top, lower.bottom - lower.top) / 2;
      if (upper.parent !== lower.parent && width > 4 && height > least)
        faults.add(describe(upper) + ' lies over ' + describe(lower));
    }
  return [...faults];
})()`;
