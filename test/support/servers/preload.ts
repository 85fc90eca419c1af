import { afterAll } from 'bun:test'
import { stopAll } from './run.ts'

// In a preloaded file this runs once, after the last test of the last file.
afterAll(stopAll, 120_000)
