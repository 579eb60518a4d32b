/** The program is in a folder where Debian or an administrator installs it. */
export declare const isInstalled: (program: string) => boolean
