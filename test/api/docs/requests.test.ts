import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type NamedOperation, operationsOf, readDocument } from '../../support/api/document.ts'
import { prefilled } from '../../support/api/prefilled.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** What the document offers for a try is taken by the API, and null for what may be left out. */

let rig: ApiRig
let operations: readonly NamedOperation[]

beforeAll(async () => {
  rig = await openRig()
  operations = operationsOf(await readDocument(rig))
})
afterAll(() => rig.close())

test('what Swagger UI fills in is no bad request of any operation', async () => {
  for (const operation of operations) {
    const { method, path, headers, body } = prefilled(operation)
    const sent = body === undefined ? { headers } : { headers, body }
    const { status, text } = await rig.call(method, path, sent)
    const isTaken = [200, 201, 202, 404, 409, 503].includes(status)
    expect({ request: `${method} ${path}`, isTaken, text: isTaken ? '' : text }).toEqual({
      request: `${method} ${path}`,
      isTaken: true,
      text: '',
    })
  }
})

test('what a try of settle and verify shows is a success without a reason', () => {
  for (const name of ['POST /v1/x402/settle', 'POST /v1/x402/verify']) {
    const shown = operations.find((candidate) => candidate.name === name)?.operation.responses[
      '200'
    ]
    const example = Object(shown?.content?.['application/json']?.example)
    expect([example.success ?? example.isValid, example.payer]).toEqual([true, example.payer])
    expect(Object.keys(example).filter((field) => /error|invalid/.test(field))).toEqual([])
  }
})

describe('null for an optional field', () => {
  test('is the same as leaving it out, in every body', async () => {
    let fields = 0
    for (const operation of operations) {
      const { method, path, body } = prefilled(operation)
      const schema = operation.operation.requestBody?.content?.['application/json']?.schema
      if (schema?.additionalProperties !== false) continue
      const names = Object.keys(schema.properties ?? {})
      const optional = names.filter((field) => !schema.required?.includes(field))
      fields += optional.length
      const given = Object.entries(Object(body)).filter(([field]) => !optional.includes(field))
      const nulls = optional.map((field) => [field, null])
      const without = await rig.call(method, path, { body: Object.fromEntries(given) })
      const withNulls = await rig.call(method, path, {
        body: Object.fromEntries([...given, ...nulls]),
      })
      const answers = [without, withNulls].map(({ status }) => (status === 201 ? 200 : status))
      expect({ path, different: new Set(answers).size - 1 }).toEqual({ path, different: 0 })
      expect(without.json?.code).toBe(withNulls.json?.code)
    }
    expect(fields).toBeGreaterThan(15)
  })

  test('makes the invoice that would have been made without it', async () => {
    const { externalRef, recipient, expiresAt, metadata, addresses } = await rig.create({
      chains: null,
      externalRef: null,
      recipient: null,
      expiresAt: null,
      metadata: null,
    })
    const plain = await rig.create()
    expect({ externalRef, recipient, expiresAt, metadata }).toEqual({
      externalRef: plain.externalRef,
      recipient: plain.recipient,
      expiresAt: plain.expiresAt,
      metadata: plain.metadata,
    })
    expect(addresses).toHaveLength(plain.addresses.length)
  })

  test('is a type of the field in the document', () => {
    for (const { name, operation } of operations) {
      const schema = operation.requestBody?.content?.['application/json']?.schema
      if (schema?.additionalProperties !== false) continue
      for (const [field, { type, oneOf }] of Object.entries(schema.properties ?? {})) {
        const types = [type ?? oneOf?.map((choice) => choice.type)].flat(2)
        const takesNull = !schema.required?.includes(field)
        expect({ name, field, takesNull: types.includes('null') }).toEqual({
          name,
          field,
          takesNull,
        })
      }
    }
  })

  test('is a mistake in a field that is required', async () => {
    const body = { tokenSymbol: null, amountExpected: '10' }
    const { status, json } = await rig.call('POST', '/v1/invoices', { body })
    expect([status, json.details?.[0]?.path]).toEqual([400, 'tokenSymbol'])
  })

  test('stands for no body, too', async () => {
    const { id } = await rig.create()
    const { status } = await rig.call('POST', `/v1/invoices/${id}/expire`, { body: 'null' })
    expect(status).toBe(200)
  })
})
