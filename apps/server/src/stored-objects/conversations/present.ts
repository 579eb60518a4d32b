import type { StoredConversation } from '../../relay/local-responses/stored-conversation.ts'

/** A conversation without its items, as OpenAI shows it. */
export const present = ({ items: _items, ...conversation }: StoredConversation): object =>
  conversation
