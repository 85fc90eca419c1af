/**
 * What `bean-check` demands of a ledger, as far as ours may use its language: the rules of Beancount's
 * syntax and of its checks "open before use", "one opening" and "each transaction balances", without any
 * tolerance.
 */

const ACCOUNT = /^(Assets|Liabilities|Equity|Income|Expenses)(:[A-Z0-9][A-Za-z0-9-]*)+$/
const COMMODITY = /^[A-Z][A-Z0-9'._-]{0,22}[A-Z0-9]$/
const DATE = /^\d{4}-\d{2}-\d{2}$/
const STRING = /^"(?:[^"\\]|\\.)*"$/
const NUMBER = /^-?\d+(\.\d+)?$/

export interface Checked {
  readonly errors: readonly string[]
  /** What each account holds, by `account commodity`, in units of 10^-36. */
  readonly balances: ReadonlyMap<string, bigint>
  readonly transactions: number
}

const SCALE = 36

interface Transaction {
  readonly line: number
  readonly date: string
  readonly sums: Map<string, bigint>
  postings: number
}

export function checkLedger(text: string): Checked {
  const errors: string[] = []
  const opened = new Map<string, string>()
  const balances = new Map<string, bigint>()
  let current: Transaction | null = null
  let transactions = 0
  const end = () => {
    if (current === null) return
    if (current.postings === 0) errors.push(`${current.line}: a transaction without postings`)
    for (const [commodity, sum] of current.sums) {
      if (sum !== 0n) errors.push(`${current.line}: does not balance in ${commodity}`)
    }
    current = null
  }
  for (const [i, line] of text.split('\n').entries()) {
    const at = i + 1
    if (line.trim() === '') {
      end()
      continue
    }
    if (/^\s/.test(line)) {
      if (current === null) errors.push(`${at}: an indented line outside of a transaction`)
      else readIndented(line, at, current)
      continue
    }
    end()
    const option = /^option ("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")$/.exec(line)
    if (option) continue
    const [date = '', word = '', ...others] = line.split(' ')
    if (!DATE.test(date) || Number.isNaN(Date.parse(date))) errors.push(`${at}: no date`)
    if (word === 'open') {
      const [account = ''] = others
      if (!ACCOUNT.test(account)) errors.push(`${at}: ${account} is no account`)
      if (opened.has(account)) errors.push(`${at}: ${account} is opened twice`)
      opened.set(account, date)
    } else if (word === '*') {
      const strings = others.join(' ').match(/"(?:[^"\\]|\\.)*"/g) ?? []
      if (strings.join(' ') !== others.join(' ')) errors.push(`${at}: no payee and narration`)
      current = { line: at, date, sums: new Map(), postings: 0 }
      transactions += 1
    } else errors.push(`${at}: ${word} is no directive`)
  }
  end()
  return { errors, balances, transactions }

  function readIndented(line: string, at: number, transaction: Transaction): void {
    const key = /^ {2}([a-z][a-zA-Z0-9_-]*): (.*)$/.exec(line)
    if (key) {
      if (!STRING.test(key[2] ?? '')) errors.push(`${at}: the value of ${key[1]} is no string`)
      return
    }
    const [account = '', number = '', commodity = '', ...more] = line.trim().split(/ +/)
    if (!ACCOUNT.test(account)) errors.push(`${at}: ${account} is no account`)
    const since = opened.get(account)
    if (since === undefined || since > transaction.date)
      errors.push(`${at}: ${account} is not open`)
    if (!NUMBER.test(number)) errors.push(`${at}: ${number} is no number`)
    if (!COMMODITY.test(commodity) || more.length > 0) errors.push(`${at}: no commodity`)
    const amount = scaled(number)
    transaction.postings += 1
    transaction.sums.set(commodity, (transaction.sums.get(commodity) ?? 0n) + amount)
    const name = `${account} ${commodity}`
    balances.set(name, (balances.get(name) ?? 0n) + amount)
  }
}

/** A decimal in units of 10^-36, exactly. */
export function scaled(number: string): bigint {
  const isNegative = number.startsWith('-')
  const [whole = '0', part = ''] = number.replace('-', '').split('.')
  const value = BigInt(whole + part.padEnd(SCALE, '0'))
  return isNegative ? -value : value
}
