import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Abi, encodeErrorResult, toEventSelector, toFunctionSelector } from 'viem'
import { HUB_ABI } from '../../../chain/hub/abi.ts'
import { explainRevert } from '../../../chain/hub/errors.ts'

const compiled = await compiledAbi()
const used: Abi = HUB_ABI

test('every call and event is one of the compiled hub', () => {
  for (const part of used) {
    if (!('name' in part)) continue
    const theirs = compiled.find((one) => 'name' in one && one.name === part.name)
    expect(theirs, part.name).toBeDefined()
    if (part.type === 'function' && theirs?.type === 'function') {
      expect(toFunctionSelector(part), part.name).toBe(toFunctionSelector(theirs))
      expect(typesOf(part.outputs), part.name).toEqual(typesOf(theirs.outputs))
      expect(part.stateMutability, part.name).toBe(theirs.stateMutability)
    }
    if (part.type === 'event' && theirs?.type === 'event') {
      expect(toEventSelector(part), part.name).toBe(toEventSelector(theirs))
      expect(indexed(part.inputs), part.name).toEqual(indexed(theirs.inputs))
    }
  }
})

test('every error of the compiled hub is told by its name', () => {
  const errors = compiled.filter((part) => part.type === 'error')
  expect(errors.length).toBeGreaterThan(40)
  for (const error of errors) {
    const args = error.inputs.map(({ type }) => sample(type))
    const data = encodeErrorResult({ abi: [error], errorName: error.name, args })
    expect(explainRevert(data)).toStartWith(`${error.name}(`)
  }
})

async function compiledAbi(): Promise<Abi> {
  const path = join(import.meta.dir, '../../../contracts/artifacts/RemitHub.json')
  return (await Bun.file(path).json()).abi
}

function typesOf(parameters: readonly { readonly type: string }[]): string[] {
  return parameters.map(({ type }) => type)
}

function indexed(inputs: readonly { readonly indexed?: boolean | undefined }[]): boolean[] {
  return inputs.map((input) => input.indexed === true)
}

function sample(type: string): string | number | bigint {
  if (type === 'address') return `0x${'11'.repeat(20)}`
  const bytes = /^bytes(\d+)$/.exec(type)?.[1]
  if (bytes !== undefined) return `0x${'22'.repeat(Number(bytes))}`
  const bits = Number(/^uint(\d+)$/.exec(type)?.[1])
  return bits <= 48 ? 7 : 7n
}
