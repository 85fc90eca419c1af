import { expect } from 'bun:test'
import { ERRORS, isErrorCode } from '../../../core/base/errors.ts'
import type { Answer } from './rig.ts'

/** What tests of the API demand of an answer. */

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** An error envelope with exactly this text, and one trace id in the body and the header. */
export function expectError(answer: Answer, status: number, error: string): void {
  const codes = Object.keys(ERRORS).filter(isErrorCode)
  const code = codes.find((candidate) => ERRORS[candidate].text === error)
  expect({ status: answer.status, body: answer.json }).toMatchObject({
    status,
    body: { success: false, error, code, docs: `/docs/errors#${code}` },
  })
  if (status === 409) expect(answer.json.details?.[0]?.message).toMatch(/./)
  expect(answer.json.traceId).toMatch(UUID)
  expect(answer.headers.get('x-trace-id')).toBe(answer.json.traceId ?? null)
  expect(answer.headers.get('content-type')).toStartWith('application/json')
}

/** The same, of an error that has details if it is a 400 or a 409, and else none. */
export function expectRefusal(answer: Answer, status: number, error: string): void {
  expectError(answer, status, error)
  const isExplained = status === 400 || status === 409
  expect(Array.isArray(answer.json.details)).toBe(isExplained)
  if (isExplained) expect(answer.json.details?.length).toBeGreaterThan(0)
}

/** A 400 that says which part of the request to change. */
export function expectDetail(answer: Answer, error: string, path: string, message?: string): void {
  expectError(answer, 400, error)
  const details = answer.json.details ?? []
  const detail = details.find((candidate) => candidate.path === path)
  expect({ path, paths: details.map((candidate) => candidate.path) }).toMatchObject({
    paths: expect.arrayContaining([path]),
  })
  if (message !== undefined) expect(detail?.message).toContain(message)
  else expect(detail?.message).not.toBe('')
}
