//! The `cloudwatch` integration: settings that its exporter rejects (`ScrapeConf.Validate` in YACE), and settings that
//! make the agent panic (`asyncExporter.Run`).

use crate::check::integrations::setting::{is_blank, is_on, missing, nanoseconds, refuse, refuse_as, text};
use crate::check::walk::{Expect::With, Json, Rows, Step, Walk};
use crate::diagnostic::Code;
use crate::diagnostic::suggest::did_you_mean;

pub const ROWS: Rows = &[
    ("", With(interval)),
    ("discovery.jobs[]", With(discovery)),
    ("static[]", With(fixed)),
    ("discovery.jobs[]", With(common)),
    ("static[]", With(common)),
];

fn interval<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    let interval = nanoseconds(config, "decoupled_scraping.scrape_interval", 1);
    if is_on(config, "decoupled_scraping.enabled", false) && interval.is_some_and(|interval| interval <= 0) {
        let at = [Step::Key("decoupled_scraping"), Step::Key("scrape_interval")];
        refuse_as(walk, Code::InvalidDuration, &at, "is zero or negative", "write a duration such as `5m`");
    }
}

/// Checks a job that discovers resources (`Job.validateDiscoveryJob`).
fn discovery<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    match text(job, "type", "") {
        Some(name) if name.is_empty() => {
            missing(walk, &[Step::Key("type")], "a job needs `type`", "set `type` to a service such as `ec2`")
        }
        Some(name) if !SERVICES.split_whitespace().any(|service| service == name) => {
            let message = format!(
                "{} is not a service that the integration supports, so the agent does not start",
                walk.quoted(&name)
            );
            let help = did_you_mean(&name, SERVICES.split_whitespace());
            let help =
                help.unwrap_or_else(|| "use the name or namespace of a service, such as `ec2` or `AWS/EC2`".to_owned());
            walk.report_with_code(Code::InvalidIntegration, &[Step::Key("type")], message, help);
        }
        _ => {}
    }
    if job.set("metrics").is_none_or(Json::is_empty) {
        missing(walk, &[Step::Key("metrics")], "a job needs `metrics`", "set `metrics`");
    }
    for (i, metric) in job.list("metrics").enumerate() {
        if metric.set("statistics").is_none_or(Json::is_empty) {
            let at = [Step::Key("metrics"), Step::Index(i), Step::Key("statistics")];
            missing(walk, &at, "a metric needs `statistics`", "set `statistics`, such as `[Average]`");
        }
    }
}

/// Checks a job for a fixed resource (`Static.validateStaticJob`).
fn fixed<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    for key in ["name", "namespace"].into_iter().filter(|key| is_blank(job, key, "")) {
        missing(walk, &[Step::Key(key)], &format!("a job needs `{key}`"), &format!("set `{key}`"));
    }
}

/// Checks the settings that both types of jobs have.
fn common<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    if job.set("regions").is_none_or(Json::is_empty) {
        missing(walk, &[Step::Key("regions")], "a job needs `regions`", "set `regions`, such as `[us-east-2]`");
    }
    walk.each("roles[]", job, |walk, role| {
        if is_blank(role, "role_arn", "") && text(role, "external_id", "").is_some_and(|id| !id.is_empty()) {
            missing(walk, &[Step::Key("role_arn")], "a role with `external_id` needs `role_arn`", "set `role_arn`");
        }
    });
    walk.each("metrics[]", job, metric);
}

/// Default, in seconds, that YACE uses if a period is missing, or if a period or length is below one second.
const DEFAULT_SECONDS: i64 = 300;

/// Checks a metric in either type of job (`Metric.validateMetric`).
fn metric<'v>(walk: &mut Walk<'v>, metric: Json<'v>) {
    if is_blank(metric, "name", "") {
        missing(walk, &[Step::Key("name")], "a metric needs `name`", "set `name`");
    }
    let (Some(period), Some(length)) = (nanoseconds(metric, "period", 0), nanoseconds(metric, "length", 0)) else {
        return;
    };
    let seconds = |nanoseconds: i64| match nanoseconds / 1_000_000_000 {
        0 => DEFAULT_SECONDS,
        seconds => seconds,
    };
    let (period, length) = (seconds(period), seconds(if length == 0 { period } else { length }));
    if period < 1 {
        refuse(walk, &[Step::Key("period")], "is negative", "write a duration such as `5m`");
    } else if length < period {
        let problem = format!("is shorter than the period of {period} seconds");
        refuse(walk, &[Step::Key("length")], problem, "make `length` at least as long as `period`, or remove it");
    }
}

/// Services by name and by namespace (`SupportedServices`).
const SERVICES: &str = "\
    /aws/sagemaker/Endpoints /aws/sagemaker/InferenceRecommendationsJobs /aws/sagemaker/ProcessingJobs \
    /aws/sagemaker/TrainingJobs /aws/sagemaker/TransformJobs AWS/ACMPrivateCA AWS/AOSS AWS/AmazonMQ AWS/ApiGateway \
    AWS/AppStream AWS/AppSync AWS/ApplicationELB AWS/Athena AWS/AutoScaling AWS/Backup AWS/Billing AWS/Cassandra \
    AWS/CertificateManager AWS/ClientVPN AWS/CloudFront AWS/Cognito AWS/DDoSProtection AWS/DMS AWS/DX AWS/DocDB \
    AWS/DynamoDB AWS/EBS AWS/EC2 AWS/EC2Spot AWS/ECS AWS/EFS AWS/ELB AWS/EMRServerless AWS/ES AWS/ElastiCache \
    AWS/ElasticBeanstalk AWS/ElasticMapReduce AWS/FSx AWS/Firehose AWS/GameLift AWS/GlobalAccelerator AWS/IoT AWS/Kafka \
    AWS/KafkaConnect AWS/Kinesis AWS/KinesisAnalytics AWS/Lambda AWS/MWAA AWS/MediaConnect AWS/MediaConvert \
    AWS/MediaLive AWS/MediaTailor AWS/MemoryDB AWS/NATGateway AWS/Neptune AWS/NetworkELB AWS/NetworkFirewall \
    AWS/PrivateLinkEndpoints AWS/PrivateLinkServices AWS/Prometheus AWS/QLDB AWS/RDS AWS/Redshift AWS/Route53 \
    AWS/Route53Resolver AWS/S3 AWS/SES AWS/SNS AWS/SQS AWS/SageMaker AWS/Sagemaker/ModelBuildingPipeline AWS/States \
    AWS/StorageGateway AWS/TransitGateway AWS/TrustedAdvisor AWS/Usage AWS/VPN AWS/WAFV2 AWS/WorkSpaces AmazonMWAA \
    CWAgent ECS/ContainerInsights Glue acm acm-pca airflow alb amp aoss apigateway appstream appsync asg athena backup \
    beanstalk billing cassandra clientvpn cloudfront cognito-idp cwagent dms docdb dx dynamodb ebs ec ec2 ec2Spot \
    ecs-containerinsights ecs-svc efs elb emr emr-serverless es firehose fsx ga gamelift glue iot kafka kafkaconnect \
    kinesis kinesis-analytics lambda mediaconnect mediaconvert medialive mediatailor memorydb mq mwaa neptune nfw ngw \
    nlb qldb rds redshift route53 route53-resolver s3 sagemaker sagemaker-endpoints sagemaker-inf-rec \
    sagemaker-model-building-pipeline sagemaker-processing sagemaker-training sagemaker-transform ses sfn shield sns sqs \
    storagegateway tgw trustedadvisor usage vpc-endpoint vpc-endpoint-service vpn wafv2 workspaces";
