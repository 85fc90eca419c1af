import { afterAll } from 'bun:test'
import { stopAll } from './run.ts'

// In a preloaded file this runs once, after the last test of the last file. A worker of `--parallel` runs it
// after each file instead; its servers are shared by all of them, and end when they lose their parent.
if (process.env.BUN_TEST_WORKER_ID === undefined) afterAll(stopAll, 120_000)

// A timer that is given more than it can hold ends after a millisecond.
process.on('warning', (warning) => {
  if (warning.name === 'TimeoutOverflowWarning') throw warning
})
