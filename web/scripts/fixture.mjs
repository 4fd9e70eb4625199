// @ts-check
/**
 * A battle that never was, with every kind of ground and as many units as asked for: what the map is looked at and
 * measured with, since it belongs to no ruleset.
 */

const MM = 1000;
const [WIDTH, DEPTH] = [1800, 1200];

/** @param {[number, number][]} points */
const points = (points) => points.map(([x, y]) => ({ x: x * MM, y: y * MM }));

/**
 * @param {string} id
 * @param {string} drawn
 * @param {{ name?: string, area?: [number, number][], line?: [number, number][], width?: number, level?: number }} what
 */
const ground = (id, drawn, { name, area, line, width, level = 0 }) => ({
  id: `~${id}`,
  kind: drawn,
  drawn,
  name: name ?? null,
  rings: area ? [points(area)] : [],
  line: line ? points(line) : [],
  width: width ? width * MM : null,
  level,
  note: null,
});

const GROUND = [
  ground('0', 'hill', { level: 1, area: [[60, 700], [160, 620], [330, 600], [470, 660], [560, 780], [600, 920], [520, 1060], [380, 1130], [180, 1120], [70, 1000]] }),
  ground('1', 'steep_hill', { level: 2, name: 'Monte Calvo', area: [[150, 800], [240, 720], [380, 730], [460, 830], [450, 960], [340, 1030], [210, 1000], [150, 910]] }),
  ground('2', 'hill', { level: 1, area: [[1180, 120], [1330, 70], [1540, 90], [1690, 180], [1720, 320], [1600, 400], [1400, 410], [1240, 330], [1160, 220]] }),
  ground('3', 'ridge', { level: 1, name: 'The Hog’s Back', line: [[1240, 200], [1400, 250], [1560, 240], [1660, 290]] }),
  ground('4', 'wood', { name: 'Bosco Grande', area: [[640, 760], [760, 700], [900, 720], [970, 800], [950, 910], [830, 960], [690, 930], [630, 850]] }),
  ground('5', 'light_wood', { name: 'Olive groves', area: [[1050, 820], [1200, 780], [1330, 830], [1350, 940], [1220, 1000], [1080, 960]] }),
  ground('6', 'wood', { area: [[1480, 640], [1600, 600], [1720, 650], [1730, 760], [1620, 810], [1500, 770]] }),
  ground('7', 'marsh', { name: 'Pantano', area: [[640, 60], [820, 40], [960, 90], [980, 190], [860, 250], [700, 220], [620, 140]] }),
  ground('8', 'river', { name: 'River Lamato', width: 26, line: [[-10, 420], [150, 450], [300, 410], [460, 330], [620, 300], [800, 330], [980, 400], [1130, 480], [1280, 560], [1430, 560], [1600, 500], [1810, 520]] }),
  ground('9', 'river', { width: 9, line: [[560, 1210], [590, 1050], [620, 900], [600, 700], [610, 520], [620, 305]] }),
  ground('10', 'road', { name: 'Strada Reale', width: 11, line: [[-10, 560], [200, 560], [420, 540], [640, 520], [860, 520], [1040, 560], [1180, 680], [1360, 720], [1560, 880], [1810, 960]] }),
  ground('11', 'road', { width: 8, line: [[860, 520], [890, 360], [900, 250], [1010, 110], [1040, -10]] }),
  ground('12', 'bridge', { width: 11, line: [[884, 392], [892, 338]] }),
  ground('13', 'ford', { width: 24, line: [[300, 440], [310, 380]] }),
  ground('14', 'buildings', { name: 'San Pietro', area: [[800, 545], [960, 560], [950, 660], [870, 680], [790, 640]] }),
  ground('15', 'buildings', { area: [[1390, 735], [1460, 770], [1435, 820], [1365, 785]] }),
  ground('16', 'field', { area: [[980, 600], [1090, 640], [1050, 740], [940, 700]] }),
  ground('17', 'field', { area: [[660, 545], [770, 550], [765, 660], [655, 655]] }),
  ground('18', 'field', { area: [[250, 470], [400, 450], [420, 525], [255, 545]] }),
  ground('19', 'hedge', { line: [[640, 670], [780, 675]] }),
  ground('20', 'hedge', { line: [[1100, 640], [1060, 750], [940, 712]] }),
  ground('21', 'wall', { line: [[975, 560], [985, 660], [960, 690]] }),
  ground('22', 'works', { line: [[1300, 420], [1420, 445], [1540, 430]] }),
  ground('23', 'rough', { area: [[80, 180], [230, 130], [330, 200], [290, 300], [130, 310]] }),
  ground('24', 'water', { name: 'Lago Nero', area: [[1560, 980], [1680, 960], [1760, 1030], [1720, 1120], [1590, 1130], [1530, 1060]] }),
  ground('25', 'sunken_road', { width: 8, line: [[960, 1210], [990, 1080], [1010, 960], [1040, 840], [1040, 700], [1010, 545]] }),
  ground('26', 'abatis', { line: [[640, 690], [560, 640]] }),
  ground('27', 'ditch', { width: 6, line: [[1180, 470], [1280, 470], [1300, 430]] }),
];

const COATS = {
  A: [['#b5382f', '#1f3d7a'], ['#b5382f', '#d9c04a'], ['#b5382f', '#f3eee2'], ['#35603f', '#1d1812'], ['#22334d', '#b5382f']],
  B: [['#2d4a8f', '#f3eee2'], ['#2d4a8f', '#b5382f'], ['#2d4a8f', '#d9c04a'], ['#35603f', '#b5382f'], ['#f3eee2', '#b5382f'], ['#7fa7c9', '#1d1812']],
};
const ARMS = ['foot', 'foot', 'foot', 'light_foot', 'foot', 'horse', 'guns', 'light_horse', 'horse_guns', 'heavy_horse', 'dragoons', 'howitzers', 'heavy_guns'];
const NAMES = {
  A: ['20th Foot', '27th Foot', '58th Foot', 'Corsican Rangers', '81st Foot', '78th Highlanders', 'Royal Artillery', '20th Light Dragoons', 'Watteville', 'Grenadier Battalion', 'Light Battalion', 'Howitzer section', 'Reserve guns'],
  B: ['1er Léger', '42e Ligne', '23e Léger', '1er Suisse', 'Polonais', '9e Chasseurs', 'Artillerie à pied', '6e Hussards', 'Artillerie légère', 'Cuirassiers', 'Dragons', 'Obusiers', 'Réserve'],
};

/**
 * The corners of a stand, front left first, clockwise, about a unit that faces `heading` degrees.
 * @param {{ x: number, y: number }} at @param {number} heading @param {number} left @param {number} front
 * @param {number} wide @param {number} deep
 */
function stand(at, heading, left, front, wide, deep) {
  const a = (heading * Math.PI) / 180;
  /** @param {number} across @param {number} back */
  const corner = (across, back) => ({
    x: Math.round((at.x + Math.cos(a) * across - Math.sin(a) * back) * MM),
    y: Math.round((at.y - Math.sin(a) * across - Math.cos(a) * back) * MM),
  });
  return [corner(left, front), corner(left + wide, front), corner(left + wide, front + deep), corner(left, front + deep)];
}

/**
 * Stands in a line, a column, a square, or side by side as guns are.
 * @param {{ x: number, y: number }} at @param {number} heading @param {string} formation
 */
function layout(at, heading, formation) {
  if (formation === 'column') return [0, 1, 2, 3].map((n) => stand(at, heading, -20, n * 15, 40, 14));
  if (formation === 'square') {
    return [stand(at, heading, -20, 0, 40, 12), stand(at, heading, -20, 32, 40, 12), stand(at, heading, -20, 12, 12, 20), stand(at, heading, 8, 12, 12, 20)];
  }
  if (formation === 'guns') return [stand(at, heading, -26, 0, 25, 30), stand(at, heading, 1, 0, 25, 30)];
  return [0, 1, 2, 3].map((n) => stand(at, heading, -60 + n * 30, 0, 29.5, 18));
}

const MARKERS = [
  { name: 'stagger', style: 'yellow_diamond' },
  { name: 'kill', style: 'red_square' },
  { name: 'smoke', style: 'grey_puff' },
  { name: 'blown', style: 'green_ring' },
  { name: 'forced order', style: 'blue_flag' },
  { name: 'disorder', style: 'stone' },
];

/**
 * A sheet with so many units a side.
 * @param {number} perSide
 */
export function fixture(perSide) {
  const units = [];
  const columns = perSide > 60 ? 10 : 5;
  for (const side of /** @type {('A' | 'B')[]} */ (['A', 'B'])) {
    for (let n = 0; n < perSide; n++) {
      const arm = ARMS[n % ARMS.length] ?? 'foot';
      const guns = arm.includes('guns') || arm === 'howitzers';
      const formation = guns ? 'guns' : n % 7 === 4 ? 'column' : n % 11 === 9 ? 'square' : 'line';
      const [column, row] = [n % columns, Math.floor(n / columns)];
      const [stepX, stepY] = perSide > 60 ? [150, 46] : [165, 92];
      const bend = Math.abs(column - (columns - 1) / 2) * 12;
      const x = (side === 'A' ? 200 : 420) + column * stepX + (row % 2) * (stepX / 2);
      const y = side === 'A' ? Math.max(40, 300 - row * stepY + bend) : Math.min(1160, 760 + row * stepY - bend);
      const heading = side === 'A' ? (column - 2) * 6 + 2 : 180 + (column - 2) * 6;
      const [coat, facings] = COATS[side][n % COATS[side].length] ?? ['#888888', '#ffffff'];
      units.push({
        id: `#${units.length}`,
        key: `${side}${n}`,
        name: NAMES[side][n % NAMES[side].length] + (n >= NAMES[side].length ? ` ${Math.floor(n / NAMES[side].length) + 1}` : ''),
        side,
        command: `%${side === 'A' ? 0 : 1}`,
        symbol: arm,
        coat,
        facings,
        pose: { at: { x: x * MM, y: y * MM }, heading: (((heading % 360) + 360) % 360) * 100 },
        stands: layout({ x, y }, heading, formation),
        formation,
        markers: MARKERS.filter((_, i) => (n * 5 + i * 3) % 13 === 0).map((marker, i) => ({ ...marker, count: 1 + ((n + i) % 3) })),
        lines: ['trained', `${4 - (n % 3)} stands`],
        absent: null,
      });
    }
  }
  /** @param {number} id @param {string} name @param {string} side @param {number} x @param {number} y @param {number} grade */
  const officer = (id, name, side, x, y, grade) => ({
    id: `@${id}`, key: name, name, side, command: `%${side === 'A' ? 0 : 1}`, rank: grade > 2 ? 'general' : 'brigadier', grade,
    at: { x: x * MM, y: y * MM }, radius: 200 * MM, with: null, markers: [], lines: ['able'],
  });
  return {
    entry: { name: 'fixture', ruleset: 'picket', title: 'Maida', date: '4 July 1806', place: 'Calabria', summary: 'Stuart’s redcoats meet Reynier’s columns on the plain before the hills.', length: 'an evening' },
    view: {
      setting: {
        ruleset: 'picket', title: 'The Field of Maida', date: '4 July 1806', place: 'Calabria', summary: null, measure: 'cm',
        width: WIDTH * MM, depth: DEPTH * MM,
        sides: [{ side: 'A', name: 'British', colour: '#b5382f' }, { side: 'B', name: 'French', colour: '#2d4a8f' }],
        ground: GROUND,
      },
      turn: 3, phase: 'movement', phasing: 'A', units,
      officers: [officer(0, 'Kempt', 'A', 420, 230, 1), officer(1, 'Stuart', 'A', 620, 180, 4), officer(2, 'Compère', 'B', 700, 840, 2), officer(3, 'Reynier', 'B', 1000, 1020, 3)],
      commands: [{ id: '%0', key: 'uk', name: 'Stuart’s army', side: 'A', above: null, officer: '@1', lines: [] }, { id: '%1', key: 'fr', name: 'Reynier’s corps', side: 'B', above: null, officer: '@3', lines: [] }],
      score: [{ name: 'Commands broken', values: ['0 of 3', '1 of 4'] }],
      tokens: [{ marker: { name: 'smoke', style: 'grey_puff', count: 1 }, at: { x: 560 * MM, y: 400 * MM } }],
    },
  };
}
