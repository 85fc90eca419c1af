/** The parts of Express that are used here; the package has no types. */
declare module 'express' {
  import type { IncomingMessage, Server, ServerResponse } from 'node:http'

  export type Request = IncomingMessage
  export interface Response extends ServerResponse {
    json(body: unknown): Response
  }
  export type NextFunction = (error?: unknown) => void
  export type Handler = (request: Request, response: Response, next: NextFunction) => unknown

  export interface Express {
    use(handler: Handler): Express
    get(path: string, handler: Handler): Express
    listen(port: number, host: string, onListening?: () => void): Server
  }

  export default function express(): Express
}
