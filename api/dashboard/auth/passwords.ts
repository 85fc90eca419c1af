/** Passwords are stored as Argon2id with the first parameters of OWASP's cheat sheet. */

/** The cost of one guess: memory in KiB, and passes over it. */
export interface HashCost {
  readonly memoryCost: number
  readonly timeCost: number
}

const COST: HashCost = { memoryCost: 19_456, timeCost: 2 }

export function hashPassword(password: string, cost = COST): Promise<string> {
  return Bun.password.hash(password.normalize('NFKC'), { algorithm: 'argon2id', ...cost })
}

export function verifyPassword(given: {
  readonly hash: string
  readonly password: string
}): Promise<boolean> {
  return Bun.password.verify(given.password.normalize('NFKC'), given.hash)
}
