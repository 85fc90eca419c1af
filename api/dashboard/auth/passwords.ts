/** Passwords are stored as Argon2id, with the parameters that OWASP's cheat sheet names first. */

/** What one guess costs: memory in KiB, and how often all of it is gone through. */
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
