/** The wire, whose shape is only known once it has been looked at. For `request`, `reply` and `events`, nowhere else. */
export type Json = any
