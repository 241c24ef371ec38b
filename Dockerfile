# The site and its worker, as one image: python -m config.serve, or manage.py worker. Nothing in it is written to.

FROM python:3.11-slim AS build
WORKDIR /app
COPY requirements.txt ./
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.txt
COPY . ./
RUN DATABASE_URL=sqlite://:memory: /venv/bin/python manage.py collectstatic --noinput \
    && /venv/bin/python -m compileall -q /app

FROM python:3.11-slim
# pg_dump and pg_restore are what backups of PostgreSQL are made with.
RUN apt-get update -q && apt-get install -q -y --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin site \
    && install --directory --owner=10001 --group=10001 --mode=0700 /data
COPY --from=build /venv /venv
COPY --from=build /app /app
WORKDIR /app
ENV PATH=/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    HOST=0.0.0.0 PORT=8000 LOG_FORMAT=json DATABASE_URL=sqlite:////data/table.sqlite3 \
    TRIALS_FOLDER=/data/trials
USER 10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=4s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=3)"]
CMD ["python", "-m", "config.serve"]
