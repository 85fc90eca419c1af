import type { components, operations } from './schema.ts'

/** Requests and responses of the API's operations, by their names in the OpenAPI document. */

export type OperationName = keyof operations
type Schemas = components['schemas']

interface Json<T> {
  readonly content: { readonly 'application/json': T }
}

/** The body of an operation. */
export type Body<Name extends OperationName> = operations[Name] extends {
  requestBody?: Json<infer T>
}
  ? T
  : never

/** The query of an operation. */
export type Query<Name extends OperationName> = operations[Name] extends {
  parameters: { query?: infer T }
}
  ? NonNullable<T>
  : never

type Successes<Name extends OperationName> = operations[Name] extends { responses: infer R }
  ? { [Status in keyof R & (200 | 201 | 202)]: R[Status] }[keyof R & (200 | 201 | 202)]
  : never

/** The data of an operation's successful response, without the envelope. */
export type Data<Name extends OperationName> =
  Successes<Name> extends Json<infer T> ? (T extends { data: infer D } ? D : T) : never

export type Invoice = Schemas['Invoice']
export type Transaction = Schemas['Transaction']
export type Refund = Schemas['Refund']
export type Price = Schemas['Price']
export type PaymentLink = Schemas['PaymentLink']
export type CheckoutSession = Schemas['CheckoutSession']
export type CheckoutView = Schemas['CheckoutView']
export type Recovery = Schemas['Recovery']
export type WebhookEndpoint = Schemas['WebhookEndpoint']
export type WebhookEndpointWithSecret = Schemas['WebhookEndpointWithSecret']
export type WebhookDelivery = Schemas['Delivery']
export type X402Endpoint = Schemas['X402Endpoint']
export type X402Payment = Schemas['X402Payment']
export type X402Channel = Schemas['X402Channel']
export type PaymentRequirements = Schemas['PaymentRequirements']
