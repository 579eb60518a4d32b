/**
 * Options of a server that stands for a vendor's. With Node's default of five seconds, a call on a machine that stood
 * still for a second may be sent on a connection that the server is just closing.
 */
export const keepAlive = { keepAliveTimeout: 60_000 }
