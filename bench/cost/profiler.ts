import { renameSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Loaded before an entry point: SIGUSR2 begins a profile of its functions, and the next one writes it to a file. */

const file = join(tmpdir(), `remit-${process.pid}.cpuprofile`)
const session = new Session()
/** So much apart are samples, in µs. */
const SAMPLE_US = 200
let isProfiling = false

session.connect()
session.post('Profiler.enable')
session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US })
process.on('SIGUSR2', () => {
  session.post(isProfiling ? 'Profiler.stop' : 'Profiler.start', (_error, result) => {
    if (result === undefined || !('profile' in result)) return
    writeFileSync(`${file}.part`, JSON.stringify(result.profile))
    renameSync(`${file}.part`, file)
  })
  isProfiling = !isProfiling
})
