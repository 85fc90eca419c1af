import { describe, expect, test } from 'bun:test'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import {
  type EntryTerms,
  explainEnd,
  nextStep,
  type RegistryState,
  SIGNED_VERSION_MAX,
  VERSIONS_AHEAD_MAX,
} from '../../../core/hub/registryEntry.ts'

const OLD = lowerCaseAddress(`0x${'1'.repeat(40)}`)
const NEW = lowerCaseAddress(`0x${'2'.repeat(40)}`)
const THIEF = lowerCaseAddress(`0x${'3'.repeat(40)}`)

const TERMS = { feeBps: 50, feeCap: 5_000_000n }
const entry = (version: number, treasury = OLD) => ({ ...TERMS, version, treasury })
const pending = (version: number, treasury = NEW) => ({
  ...entry(version, treasury),
  readyAt: 500n,
})
const vetoed = (version: number, treasury = NEW) => ({ ...entry(version, treasury), readyAt: null })
const step = (wanted: EntryTerms, state: Partial<RegistryState<EntryTerms>>) =>
  nextStep(wanted, { entry: null, change: null, ...state })

describe('an entry that is wanted', () => {
  const wanted = entry(5, NEW)

  test('is sent where there is none, or an older one', () => {
    expect(step(wanted, {})).toEqual({ type: 'send', version: 5 })
    expect(step(wanted, { entry: entry(4) })).toEqual({ type: 'send', version: 5 })
    expect(step(wanted, { entry: entry(2), change: pending(4, THIEF) })).toEqual({
      type: 'send',
      version: 5,
    })
    expect(step(wanted, { entry: entry(2), change: vetoed(4) })).toEqual({
      type: 'send',
      version: 5,
    })
  })

  test('is in force once the hub has just this one', () => {
    expect(step(wanted, { entry: wanted })).toEqual({ type: 'in_force' })
    // What was vetoed before says nothing about it.
    expect(step(wanted, { entry: wanted, change: vetoed(5) })).toEqual({ type: 'in_force' })
  })

  test('waits while its own change does', () => {
    const state = { entry: entry(4), change: pending(5) }
    expect(step(wanted, state)).toEqual({ type: 'pends', version: 5, readyAt: 500n })
  })

  test('was vetoed when its version is burnt, or a later one', () => {
    for (const version of [5, 6]) {
      expect(step(wanted, { entry: entry(4), change: vetoed(version) })).toEqual({
        type: 'vetoed',
        version,
      })
    }
  })

  test('has been superseded by whatever is newer, or of the same version and another treasury', () => {
    expect(step(wanted, { entry: entry(6, NEW) })).toEqual({ type: 'superseded', version: 6 })
    expect(step(wanted, { entry: entry(5, THIEF) })).toEqual({ type: 'superseded', version: 5 })
    expect(step(wanted, { entry: entry(4), change: pending(6) })).toEqual({
      type: 'superseded',
      version: 6,
    })
    for (const change of [
      pending(5, THIEF),
      { ...pending(5), feeBps: 51 },
      { ...pending(5), feeCap: 6n },
    ]) {
      expect(step(wanted, { entry: entry(4), change })).toEqual({ type: 'superseded', version: 5 })
    }
  })
})

describe('a chain that has missed many versions', () => {
  const wanted = entry(2_500, NEW)

  test('gets them in steps that a signature allows', () => {
    expect(step(wanted, {})).toEqual({ type: 'send', version: VERSIONS_AHEAD_MAX })
    expect(step(wanted, { entry: entry(1_000, NEW) })).toEqual({ type: 'send', version: 2_000 })
    expect(step(wanted, { entry: entry(2_000, NEW) })).toEqual({ type: 'send', version: 2_500 })
    expect(step(entry(1_000, NEW), {})).toEqual({ type: 'send', version: 1_000 })
    expect(step(entry(1_001, NEW), {})).toEqual({ type: 'send', version: 1_000 })
  })

  test('goes on from what waits and from what is burnt: the wait begins again with the last step', () => {
    for (const change of [pending(1_007), pending(1_007, THIEF), vetoed(1_007)]) {
      const state = { entry: entry(7), change }
      expect(step(wanted, state)).toEqual({ type: 'send', version: 2_007 })
      expect(step(entry(1_008, NEW), state)).toEqual({ type: 'send', version: 1_008 })
    }
  })
})

describe('versions that can be signed', () => {
  const last = SIGNED_VERSION_MAX

  test('are used up to the last one', () => {
    expect(step(entry(last, NEW), { entry: entry(last - 1) })).toEqual({
      type: 'send',
      version: last,
    })
    const above = entry(last + 1, NEW)
    expect(step(above, { entry: entry(last - 1) })).toEqual({ type: 'send', version: last })
  })

  test('are followed by those of the owner', () => {
    const wanted = entry(last + 1, NEW)
    for (const state of [
      { entry: entry(last, THIEF) },
      { entry: entry(7), change: vetoed(last) },
      { entry: entry(7), change: pending(last, THIEF) },
    ]) {
      expect(step(wanted, state)).toEqual({ type: 'exhausted', version: last + 1 })
    }
    expect(step(wanted, { entry: wanted })).toEqual({ type: 'in_force' })
  })
})

test('an end says what to do', () => {
  expect(explainEnd({ type: 'vetoed', version: 5 })).toContain('set the recipient again')
  expect(explainEnd({ type: 'superseded', version: 5 })).toContain('supersedes it')
  expect(explainEnd({ type: 'exhausted', version: 5 })).toBeNull()
  expect(explainEnd({ type: 'send', version: 5 })).toBeNull()
})
