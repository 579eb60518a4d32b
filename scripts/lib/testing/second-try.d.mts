export declare const hasSecondTry: (failures: readonly { title: string }[]) => boolean
