import { createRequire } from 'node:module'

/**
 * Loaded by the runtime itself. As an import, Ponder's bundler would transform the hundred files behind it,
 * which takes a second of processor time at each start.
 */
const options: typeof import('./options.ts') = createRequire(import.meta.url)('./options.ts')

export default options.default
