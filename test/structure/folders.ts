/**
 * Which folders of a folder each of them may import from. Files directly in it serve all of them and may
 * import from none, unless it has a line '.'.
 */
export const FOLDERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'core/x402': {
    payee: [],
    payer: [],
    resource: [],
    payment: ['resource'],
    endpoint: ['payment', 'resource'],
    permit: ['payer', 'payment'],
    request: ['endpoint', 'payment', 'permit', 'resource'],
    channels: ['payment', 'request', 'resource'],
  },
  'core/invoice': {
    deposit: [],
    settlement: ['deposit'],
    creation: ['deposit', 'settlement'],
    refund: ['deposit', 'settlement'],
    presentation: ['refund', 'settlement'],
  },
  store: {
    chain: [],
    redis: [],
    relayer: [],
    secrets: [],
    webhook: ['secrets'],
    screening: [],
    invoice: ['chain', 'relayer', 'screening', 'webhook'],
    refund: ['invoice', 'relayer', 'webhook', 'x402'],
    x402: ['chain', 'relayer', 'webhook'],
    merchant: ['x402'],
    checkout: ['chain', 'invoice'],
    dashboard: ['chain', 'webhook'],
    erasure: ['dashboard'],
    books: ['chain', 'relayer', 'screening', 'x402'],
    analytics: [],
  },
  'store/invoice': {
    deposit: [],
    list: [],
    payment: [],
    sweep: [],
    derivation: ['deposit', 'payment', 'sweep'],
  },
  'store/x402': {
    claim: [],
    payee: [],
    endpoint: ['payee'],
    payment: [],
    payout: ['payee'],
    settlement: ['claim', 'payout'],
    channels: ['claim', 'settlement'],
  },
}
