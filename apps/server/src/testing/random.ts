export { createRandom, type Random } from '../platform/random.ts';
