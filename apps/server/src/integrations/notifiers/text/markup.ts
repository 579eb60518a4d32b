const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For text and attributes of HTML. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, each => entities[each] ?? '')

/** CommonMark 2.4: a backslash before ASCII punctuation takes its meaning. HTML and blocks cannot begin. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_{}[\]()#+\-!|~<>&]/g, each => `\\${each}`).replace(/^(\d+)([.)])/gm, '$1\\$2')

const lookAlikes: Record<string, string> = {
  '<': '＜',
  '>': '＞',
  '[': '［',
  ']': '］',
  '*': '＊',
  '`': '｀',
  '\\': '＼',
}

/** For services whose Markdown has no documented escape: what would be markup becomes a full-width character. */
export const neutralizeMarkdown = (text: string): string =>
  text.replace(/[<>[\]*`\\]/g, each => lookAlikes[each] ?? '').replace(/^(\s*)#/gm, '$1＃')

/** An address within Markdown parentheses or angle brackets. */
export const escapeUrl = (url: string): string =>
  url.replace(/[()<>[\]*`\s"'|]/g, each => encodeURIComponent(each).replace(/[()*']/g, hex))

const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
