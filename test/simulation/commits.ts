import { messageOf, textAt } from './protocol.ts'

/** What a transaction has signed. */
export interface Signed {
  /** Of what is to be sent to nodes. */
  readonly hashes: readonly string[]
  /** Whether there are orders of refunds in it. */
  readonly isRefund: boolean
}

const NOTHING: Signed = { hashes: [], isRefund: false }
const ATTEMPT = /^\s*insert into relayer_attempt\b/
const ORDER = /^\s*update refund set waiting_for = null[^;]* order_number = case/
const HASH = /0x[0-9a-f]{64}(?![0-9a-f])/

/**
 * Follows what the transactions of one connection sign. The commit of one of them may be lost: its client is told that
 * it is done, and the server undoes what it is about.
 */
export class Commits {
  private signed = NOTHING
  /** A commit was lost. */
  isLost = false

  constructor(private readonly loses: (signed: Signed) => boolean) {}

  /** What the server is asked for where the client asks for this statement, both by their text and types. */
  asked({ text, key }: { readonly text: string; readonly key: string }, message: Buffer): string {
    const { signed } = this
    if (ATTEMPT.test(text)) {
      const [hash = ''] = HASH.exec(message.toString('latin1')) ?? []
      this.signed = { ...signed, hashes: [...signed.hashes, hash] }
    } else if (ORDER.test(text)) this.signed = { ...signed, isRefund: true }
    else if (text === 'commit' || text === 'rollback') this.signed = NOTHING
    if (text !== 'commit' || signed.hashes.length === 0) return key
    this.isLost = this.loses(signed)
    return this.isLost ? key.replace('commit', 'rollback') : key
  }

  /** What the client is told where the server says this. */
  told(message: Buffer): Buffer {
    const isEnd = this.isLost && message[0] === DONE && textAt(message, 5) === 'ROLLBACK'
    return isEnd ? messageOf('C', 'COMMIT\0') : message
  }
}

const DONE = 'C'.charCodeAt(0)
