// Haraka looks up the name of every client. On loopback that would measure the resolver.
exports.hook_lookup_rdns = (next) => next(OK, 'localhost')
