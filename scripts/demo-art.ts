// The logos and pictures of the demo as SVG. `npm run demo:draw` converts them to PNG, which every mail program shows.

/** A 64 × 64 tile that works on light and dark backgrounds. */
const tile = (fill: string, shapes: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="${fill}"/>${shapes}</svg>`;

export const logos: Readonly<Record<string, string>> = {
  nordwind: tile(
    '#0a8234',
    `<path d="M8 47 25 19l9 15 5-8 17 21z" fill="#fff"/><path d="m25 19 5.4 9-3.4 3-3-2.5-3.6-2z" fill="#bfe3c8"/>
    <circle cx="46" cy="18" r="5" fill="#ffd873"/>`,
  ),
  kids: tile(
    '#b95201',
    `<path d="M32 10 50 29 32 48 14 29z" fill="#fff"/><path d="M32 10v38M14 29h36" stroke="#b95201" stroke-width="2.5"/>
    <path d="M32 48c-5 3 5 5 0 9" stroke="#fff" stroke-width="3" fill="none" stroke-linecap="round"/>
    <path d="M32 10 50 29H32z" fill="#ffd873"/><path d="M32 29h-18l18 19z" fill="#ffb27a"/>`,
  ),
  solara: tile(
    '#0365cb',
    `<circle cx="32" cy="32" r="11" fill="#ffd34d"/><g stroke="#ffd34d" stroke-width="4" stroke-linecap="round">
    <path d="M32 9v6M32 49v6M9 32h6M49 32h6M15.7 15.7l4.3 4.3M44 44l4.3 4.3M48.3 15.7 44 20M20 44l-4.3 4.3"/></g>`,
  ),
  business: tile(
    '#465466',
    `<path d="M10 50V30l13-9v9l13-9v9l18-12v32z" fill="#fff"/><path d="m27 36-5 9h6l-2 8 9-12h-6l3-5z" fill="#ffd34d" stroke="#465466" stroke-width="1.5"/>`,
  ),
  morrow: tile(
    '#c50220',
    `<path d="M14 26h30v11a13 13 0 0 1-13 13h-4a13 13 0 0 1-13-13z" fill="#fff"/>
    <path d="M44 29h3a6 6 0 0 1 0 12h-4" stroke="#fff" stroke-width="4" fill="none"/>
    <path d="M23 20c-3-4 3-5 0-9M32 20c-3-4 3-5 0-9" stroke="#ffc9c4" stroke-width="3" fill="none" stroke-linecap="round"/>`,
  ),
  academy: tile(
    '#8a2eda',
    `<circle cx="32" cy="32" r="21" fill="#fff"/><circle cx="32" cy="32" r="16" fill="#a86f45"/>
    <path d="M32 42c-8-6-10-9-10-13a5 5 0 0 1 10-1 5 5 0 0 1 10 1c0 4-2 7-10 13z" fill="#fff4e6"/>`,
  ),
};

/** A 600 × 240 picture for the top of the brand's emails. */
const scene = (sky: string, shapes: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 240"><rect width="600" height="240" fill="${sky}"/>${shapes}</svg>`;

const pine = (x: number, y: number, size: number, fill: string): string =>
  `<path transform="translate(${x} ${y}) scale(${size})" d="M0-30 9-12H5l8 12H4v8h-8V0h-9l8-12h-4z" fill="${fill}"/>`;

const panel = (x: number, y: number): string =>
  `<g transform="translate(${x} ${y}) skewX(-24)"><rect width="74" height="44" fill="#17406f" stroke="#c9dcf0" stroke-width="2"/>
  <path d="M18.5 0v44M37 0v44M55.5 0v44M0 22h74" stroke="#5f8dbd" stroke-width="1.5"/></g>`;

const cup = (x: number, y: number, size: number, fill: string): string =>
  `<g transform="translate(${x} ${y}) scale(${size})"><ellipse cx="0" cy="62" rx="64" ry="9" fill="#00000018"/>
  <path d="M-46 0h92v22a40 40 0 0 1-40 40h-12a40 40 0 0 1-40-40z" fill="${fill}"/>
  <path d="M46 8h8a16 16 0 0 1 0 32H42" fill="none" stroke="${fill}" stroke-width="10"/>
  <ellipse cx="0" cy="1" rx="46" ry="9" fill="#5b3420"/><ellipse cx="0" cy="1" rx="34" ry="5.5" fill="#a06a42"/></g>`;

const roof = (x: number, width: number, height: number, fill: string): string =>
  `<path d="M${x} 240v-${height}l${width} -${width * 0.55}v${width * 0.55 + height}z" fill="${fill}"/>`;

export const pictures: Readonly<Record<string, string>> = {
  nordwind: scene(
    '#d8eef0',
    `<circle cx="458" cy="66" r="30" fill="#ffd873"/><path d="M0 176 110 74l60 54 70-86 92 96 60-50 208 122v30H0z" fill="#9cc4c4"/>
    <path d="m240 42 34 36-18 6-14-10-20 12-12-8z" fill="#fff"/><path d="m110 74 26 24-16 4-12-7-16 10-8-6z" fill="#fff"/>
    <path d="M0 196c90-46 180-30 270-6s210 20 330-30v80H0z" fill="#4f9a63"/><path d="M0 222c140-34 240-20 330-6s190 6 270-22v46H0z" fill="#2f7a47"/>
    <path d="M300 240c-10-22 36-26 22-44s-34-10-20-26" fill="none" stroke="#f3e3b4" stroke-width="9" stroke-linecap="round"/>
    ${pine(60, 206, 1.3, '#1f5f38')}${pine(92, 214, 1, '#26693f')}${pine(470, 196, 1.5, '#1f5f38')}${pine(512, 204, 1.1, '#26693f')}${pine(548, 200, 1.3, '#1f5f38')}`,
  ),
  kids: scene(
    '#fdeccf',
    `<path d="M-20 250a190 190 0 0 1 380 0" fill="none" stroke="#f08a5d" stroke-width="16"/><path d="M0 250a170 170 0 0 1 340 0" fill="none" stroke="#f7c65b" stroke-width="16"/>
    <path d="M20 250a150 150 0 0 1 300 0" fill="none" stroke="#7cc48f" stroke-width="16"/><path d="M0 208c120-26 220-10 320 4s190 2 280-20v48H0z" fill="#8fcf7a"/>
    <path d="m468 40 44 40-38 46-46-40z" fill="#e4572e"/><path d="m468 40 6 86m-46-40 84-6" stroke="#fff" stroke-width="4"/>
    <path d="M474 126c-30 26 10 34-26 78" fill="none" stroke="#b95201" stroke-width="3"/><path d="M250 214l46-66 46 66z" fill="#3f8fb5"/><path d="m296 148-14 66h28z" fill="#2b6f90"/>
    ${pine(560, 204, 1.1, '#4f9a63')}${pine(60, 214, 1.2, '#4f9a63')}`,
  ),
  solara: scene(
    '#cfe6fb',
    `<circle cx="96" cy="78" r="40" fill="#ffd34d"/><g stroke="#ffd34d" stroke-width="8" stroke-linecap="round"><path d="M96 16V4M96 152v-12M34 78H22M170 78h-12M52 34l-8-8M148 130l-8-8M140 34l8-8M44 130l8-8"/></g>
    <path d="M0 204c150-26 330-26 600 0v36H0z" fill="#8cc9a1"/><path d="M236 128h248v92H236z" fill="#fff8ee"/><path d="M206 132 300 56h210l-10 76z" fill="#b4513c"/>
    ${panel(318, 70)}${panel(402, 70)}<path d="M268 156h44v64h-44z" fill="#7a5a44"/><path d="M350 154h44v36h-44zM416 154h44v36h-44z" fill="#9fd0ee"/>
    <path d="M540 140h24v74h-24z" fill="#465466"/><path d="M540 160c-26 0-20 44-40 44" fill="none" stroke="#465466" stroke-width="4"/>`,
  ),
  business: scene(
    '#e3e9f1',
    `<path d="M0 240V150h70v-40h60v60h50V84h70v156z" fill="#c3cedb"/><path d="M420 240V120h60V70h66v80h54v90z" fill="#c3cedb"/>
    ${roof(120, 110, 90, '#5d6d82')}${roof(230, 110, 90, '#66778d')}${roof(340, 110, 90, '#5d6d82')}${panel(176, 122)}${panel(286, 122)}${panel(396, 122)}
    <path d="M0 222h600v18H0z" fill="#465466"/><path d="M150 186h40v36h-40zM260 186h40v36h-40zM370 186h40v36h-40z" fill="#ffd873"/>`,
  ),
  morrow: scene(
    '#f9e2d8',
    `<path d="M0 188h600v52H0z" fill="#d9a183"/>${cup(210, 126, 1, '#fff')}${cup(392, 146, 0.72, '#c50220')}
    <path d="M196 104c-12-18 12-24 0-46M226 104c-12-18 12-24 0-46" fill="none" stroke="#fff" stroke-width="8" stroke-linecap="round"/>
    <g fill="#6b3f28"><ellipse cx="494" cy="202" rx="15" ry="10" transform="rotate(-24 494 202)"/><ellipse cx="530" cy="212" rx="15" ry="10" transform="rotate(18 530 212)"/><ellipse cx="76" cy="206" rx="15" ry="10" transform="rotate(14 76 206)"/><ellipse cx="112" cy="216" rx="13" ry="9" transform="rotate(-30 112 216)"/></g>`,
  ),
  academy: scene(
    '#eadcf8',
    `<path d="M0 196h600v44H0z" fill="#b99ad8"/>${[110, 300, 490]
      .map(
        (x, index) =>
          `<circle cx="${x}" cy="118" r="66" fill="#fff"/><circle cx="${x}" cy="118" r="51" fill="#9a6440"/>` +
          [
            `<path d="M${x} 152c-26-20-32-28-32-41a16 16 0 0 1 32-4 16 16 0 0 1 32 4c0 13-6 21-32 41z" fill="#fff4e6"/>`,
            `<path d="M${x} 156V84m0 26c-22-2-26-14-26-20m26 44c-24-2-28-14-28-20m28-4c22-2 26-14 26-20m-26 44c24-2 28-14 28-20" fill="none" stroke="#fff4e6" stroke-width="9" stroke-linecap="round"/>`,
            `<circle cx="${x}" cy="118" r="36" fill="none" stroke="#fff4e6" stroke-width="8"/><circle cx="${x}" cy="118" r="16" fill="#fff4e6"/>`,
          ][index]!,
      )
      .join('')}`,
  ),
};
