// The rating system Glicko-2: M. E. Glickman, "Example of the Glicko-2 system", 2022, glicko.net/glicko/glicko2.pdf. The
// steps have the paper's numbers and letters.

/** @typedef {{ rating: number, deviation: number, volatility: number }} Rated */
/** @typedef {{ rating: number, deviation: number, score: number }} Played the opponent, and 1 for a win, 0.5 for a draw, 0 for a loss */

const [CENTRE, SCALE, TAU, TOLERANCE] = [1500, 173.7178, 0.5, 1e-6];

/** The rating after the games of one period, at least one. @param {Rated} player @param {Played[]} games @returns {Rated} */
export function rated({ rating, deviation, volatility }, games) {
  // 2
  const [mu, phi] = [(rating - CENTRE) / SCALE, deviation / SCALE];
  // 3 and 4
  let [information, surprise] = [0, 0];
  for (const { score, ...other } of games) {
    const g = 1 / Math.sqrt(1 + (3 * (other.deviation / SCALE) ** 2) / Math.PI ** 2);
    const expected = 1 / (1 + Math.exp(-g * (mu - (other.rating - CENTRE) / SCALE)));
    information += g ** 2 * expected * (1 - expected);
    surprise += g * (score - expected);
  }
  const v = 1 / information;
  // 5 to 8
  const sigma = newVolatility(phi, volatility, v, v * surprise);
  const deviated = 1 / Math.sqrt(1 / (phi ** 2 + sigma ** 2) + 1 / v);
  return { rating: rating + SCALE * deviated ** 2 * surprise, deviation: SCALE * deviated, volatility: sigma };
}

/** Step 5, by the Illinois algorithm. @param {number} phi @param {number} sigma @param {number} v @param {number} delta */
function newVolatility(phi, sigma, v, delta) {
  const a = Math.log(sigma ** 2);
  const f = (/** @type {number} */ x) => (Math.exp(x) * (delta ** 2 - phi ** 2 - v - Math.exp(x))) / (2 * (phi ** 2 + v + Math.exp(x)) ** 2) - (x - a) / TAU ** 2;
  let [A, B] = [a, Math.log(Math.max(delta ** 2 - phi ** 2 - v, 0))];
  if (B === -Infinity) for (B = a - TAU; f(B) < 0; ) B -= TAU;
  let [fA, fB] = [f(A), f(B)];
  while (Math.abs(B - A) > TOLERANCE) {
    const C = A + ((A - B) * fA) / (fB - fA);
    const fC = f(C);
    [A, fA] = fC * fB <= 0 ? [B, fB] : [A, fA / 2];
    [B, fB] = [C, fC];
  }
  return Math.exp(A / 2);
}
