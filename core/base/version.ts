import manifest from '../../package.json' with { type: 'json' }

/** The version of this release; package.json is the one place that says it. */
export const VERSION: string = manifest.version
