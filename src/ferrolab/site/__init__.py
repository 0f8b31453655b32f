"""The static site: fetch the runtime by its lock, pack the app, build the pages, serve them.

Importing this package is cheap and pulls in nothing else: :mod:`ferrolab.site.session` is
imported inside the browser, where the build-time modules beside it do not exist.
"""
