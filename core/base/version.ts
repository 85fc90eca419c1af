import manifest from '../../package.json' with { type: 'json' }

/** The version of this release; its only source is package.json. */
export const VERSION: string = manifest.version
